"""Plain records that every other module speaks in. Imports nothing of ours."""
