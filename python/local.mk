# The package cotangent_suite: Python on the command `cotangent`.
dist_check_SCRIPTS += python/test_python.sh
EXTRA_DIST += python/pyproject.toml python/setup.py python/README.md python/test_arrays.py doc/python.md \
	python/cotangent_suite/__init__.py python/cotangent_suite/arrays.py python/cotangent_suite/calls.py \
	python/cotangent_suite/program.py python/cotangent_suite/py.typed python/cotangent_suite/verdict.py
