/**
 * Dredd takes hooks from a file that it loads itself; this one hands its `hooks` to the run that
 * named it.
 */
const hooks = module.require('hooks');
hooks.configuration.custom.register(hooks);
