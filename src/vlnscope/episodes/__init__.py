"""Episodes and predictions: the file formats that users hold, and the data sets made of them.

====================  ====================================================================================
``formats``           one module per file format
``format``            what a format is; ``episode_codec`` and ``prediction_codec`` make one of records
``records``           decoding single records, and saying what is wrong with them
``json``              reads JSON of any size in blocks of whole records, and finds where it is damaged
``reading``           opens any file, recognising its format
``convert``           from one format to another, without loss
``datasets``          data sets by name: files in a data root (``files.toml``), episodes of built-in houses
``doctor``            finds what is wrong with a submission
====================  ====================================================================================
"""
