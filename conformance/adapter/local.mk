# Frameworks as backends: `cotangent check --backend numpy`, torch or jax. The programs lie beside the command, where it
# finds them, and are installed with the library.
adapterdir = $(pkglibdir)/adapter
adapter_DATA = adapter/adapter.py adapter/numpy_adapter.py adapter/torch_adapter.py adapter/jax_adapter.py
adapter/%.py: conformance/adapter/%.py
	$(AM_V_GEN)$(MKDIR_P) adapter && cp $< $@
CLEANFILES += $(adapter_DATA)
EXTRA_DIST += conformance/adapter/adapter.py conformance/adapter/numpy_adapter.py \
	conformance/adapter/torch_adapter.py conformance/adapter/jax_adapter.py conformance/adapter/vectors.py \
	conformance/adapter/vectors.jsonl conformance/adapter/artefacts.txt conformance/adapter/deviations.txt \
	conformance/adapter/deviations.py conformance/adapter/frameworks.py conformance/adapter/subset.py \
	conformance/adapter/test_frameworks.py doc/frameworks.md doc/frameworks.txt
dist_check_SCRIPTS += conformance/adapter/test_adapters.sh conformance/adapter/test_vectors.sh \
	conformance/adapter/test_frameworks.sh
