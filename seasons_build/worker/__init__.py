"""The child program: renders templates, typesets pages and proves them. It is handed every byte it may use. Imports core only."""
