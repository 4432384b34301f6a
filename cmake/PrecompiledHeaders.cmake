# Heavy headers, parsed once per layer.
