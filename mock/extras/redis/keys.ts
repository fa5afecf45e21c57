/** The keys of a sandbox, which lie in one slot of a cluster. */
export type SandboxKeys = {
  /** A hash: which state it is (epoch, control), version and tip of its items, its clock. */
  head: string;
  /** What is set by hand, as JSON. */
  control: string;
  /** A hash of the items that differ from the seeds, and of what else was changed of collections. */
  items: string;
  /** A list of the last changes of items. */
  log: string;
  /** A hash of calls by window, strikes and bans of the keys of the API. */
  usage: string;
  /** A hash of how often each fault was looked at and decided an answer. */
  faults: string;
  /** A hash of snapshots by name. */
  snapshots: string;
  /** The token of whoever changes what is set by hand. */
  lock: string;
};

const parts = ['head', 'control', 'items', 'log', 'usage', 'faults', 'snapshots', 'lock'] as const;

/** The keys of a sandbox. Braces make a cluster put them into one slot. */
export function toSandboxKeys(prefix: string, name: string): SandboxKeys {
  return Object.fromEntries(
    parts.map((part) => [part, `${prefix}:{${name}}:${part}`]),
  ) as SandboxKeys;
}

/** The keys of what all sandboxes of a twin share: two slots, which no sandbox's name can take. */
export function toTwinKeys(prefix: string) {
  const registry = `${prefix}:{${prefix}:sandboxes}`;
  const journal = `${prefix}:{${prefix}:journal}`;
  return {
    /** What the state was made of: see the fingerprint of a store. */
    fingerprint: `${registry}:fingerprint`,
    /** A sorted set of the names of sandboxes by when they were used last. */
    used: `${registry}:used`,
    /** A hash of what is known of each. */
    about: `${registry}:about`,
    /** Written to see whether that is possible. */
    probe: `${registry}:probe`,
    /** The number of the exchange that was recorded last. */
    exchange: `${journal}:last-id`,
    /** A hash of the sizes of journals by sandbox, in bytes. */
    sizes: `${journal}:sizes`,
    /** A hash of how many exchanges made room for others by sandbox, and the number of the last. */
    dropped: `${journal}:dropped`,
    /** The exchanges of a sandbox. */
    journalOf: (name: string) => `${journal}:of:${name}`,
  };
}

export type TwinKeys = ReturnType<typeof toTwinKeys>;
