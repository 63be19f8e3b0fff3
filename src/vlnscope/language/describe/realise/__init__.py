"""From chosen statements to text: noun phrases, clauses, sentences."""
