"""Libraries that any stage may use: expressions, dice, phrases, text. Imports core only."""
