//! Reading XMILE, SD-AI JSON and Vensim .mdl into a model that can be computed.
