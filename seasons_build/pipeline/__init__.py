"""The order of the stages, written once; nothing else imports a stage.

    sources -> load -> amend -> check -> link -> evaluate -> compose -> (render -> typeset -> proof) -> impose/finish/raster -> publish

`read` runs the stages that need no template, as `check` asks for; `list` and `odds` stop before `evaluate`, and `show` and `explain` have
one pack worked out. `pipeline.build` runs the rest, and `pipeline.machine` looks at this machine; neither is imported before it is needed.
"""
