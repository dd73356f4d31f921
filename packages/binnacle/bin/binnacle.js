#!/usr/bin/env node
// npm links this file when it installs a checkout, before there is a bundle.
import '../bundle/cli/main.js';
