"""Wire protocol: messages, typed values, errors, declared methods. No input or output."""
