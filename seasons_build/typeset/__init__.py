"""Jobs in, typeset faces and documents out: `typesetter` hands them to worker programs, `process` is one of these, `ahead` starts some
before anything else is imported."""
