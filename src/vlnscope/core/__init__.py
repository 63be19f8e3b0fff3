"""What everything stands on: the registry, files, errors, random numbers, tables and results.

================  ========================================================================================
``registry``      all things that can be added, by kind and name
``exceptions``    errors that say what was wrong, what was expected and what to do
``files``         reading what users name, and writing files whole or not at all; ``limits`` of size
``rng``           random numbers that depend on a seed and keys alone
``results``       one base for what verbs return; ``tables`` are its columns
================  ========================================================================================
"""
