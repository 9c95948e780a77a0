# The packages softgpu (the device) and cotangent_suite (judge, check, grade), and their wheels.
dist_check_SCRIPTS += python/test_python.sh
LONG_SHELL += python/test_clients.sh python/test_wheels.sh
EXTRA_DIST += doc/grading.md doc/python.md python/clients.py python/make-wheels \
	python/fixture_cuda_core.py python/fixture_cuda_python.py python/fixture_memory.py python/fixture_numba.py \
	python/fixture_tinygrad.py python/fixture_triton.py python/fixture_tutorial.py \
	python/examples/first.py python/fixture_wheels.py python/try-wheels \
	python/requirements.txt python/test_clients.sh python/test_wheels.sh python/tutorial.py \
	python/test_device.py python/test_grade.py python/test_plugin.py python/test_suite.py \
	python/test_tutorial.py python/device/README.md \
	python/device/pyproject.toml python/device/setup.py python/suite/README.md python/suite/pyproject.toml \
	python/suite/setup.py
EXTRA_DIST += python/device/softgpu/__init__.py python/device/softgpu/arrays.py python/device/softgpu/cuda.py \
	python/device/softgpu/driver.py python/device/softgpu/kernel.py python/device/softgpu/program.py \
	python/device/softgpu/py.typed python/device/softgpu/report.py python/device/softgpu/triton.py
EXTRA_DIST += python/suite/cotangent_suite/__init__.py python/suite/cotangent_suite/arrays.py \
	python/suite/cotangent_suite/assistants.md \
	python/suite/cotangent_suite/autograd.py python/suite/cotangent_suite/bridge.py \
	python/suite/cotangent_suite/calls.py python/suite/cotangent_suite/checks.py \
	python/suite/cotangent_suite/child.py python/suite/cotangent_suite/grade.schema.json \
	python/suite/cotangent_suite/grading.py \
	python/suite/cotangent_suite/port.py python/suite/cotangent_suite/program.py \
	python/suite/cotangent_suite/py.typed python/suite/cotangent_suite/pytest_plugin.py \
	python/suite/cotangent_suite/report.py python/suite/cotangent_suite/table.py \
	python/suite/cotangent_suite/verdict.py
python/test_python.log: cotangent$(EXEEXT) softgpu/softgpu$(EXEEXT) softgpu/libcuda.so.1 softgpu/libcudart.so.13
