"""The words of instructions: names, synonyms, tokens, spelling."""
