"""Does what programs do with the Python client, and says what did not come out as it should. The cluster is that of KUBECONFIG.
Without a word all was well."""

import sys
import warnings

from kubernetes import config

import custom_objects
import dynamic_client
import objects
import patches
import watches

if __name__ == "__main__":
    config.load_kube_config()
    warnings.simplefilter("error")
    for walk in (objects.walk, patches.walk, objects.walk_eviction, watches.walk, custom_objects.walk, dynamic_client.walk):
        try:
            walk(f"python-{walk.__module__.replace('_', '-')}-{walk.__name__.replace('_', '-')}")
        except AssertionError:
            raise
        except Exception as error:
            sys.exit(f"{walk.__module__}: {type(error).__name__}: {error}")
