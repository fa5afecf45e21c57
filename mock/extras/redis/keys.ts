/** Returns the Redis keys of a mock and its sandboxes; scripts/sandbox.lua uses the same names. */
export function toKeys(prefix: string) {
  const of = (name: string, part: string) => `${prefix}:sandbox:${name}:${part}`;
  return {
    /** The key of the fingerprint of the sandboxes' initial items. */
    fingerprint: `${prefix}:fingerprint`,
    /** Written to see whether that is possible. */
    probe: `${prefix}:probe`,
    /** The names of sandboxes but the default one, by when they were used last. */
    used: `${prefix}:used`,
    /** When each was made, and whether it has options of its own. */
    about: `${prefix}:about`,
    /** How many exchanges made room for others by sandbox, and the number of the last. */
    dropped: `${prefix}:dropped`,
    journalOf: (name: string) => of(name, 'journal'),
    snapshotsOf: (name: string) => of(name, 'snapshots'),
    /** A place for items that are written before they are put in place of others. */
    stagedOf: (name: string, tip: string) => of(name, `staged:${tip}`),
  };
}

export type Keys = ReturnType<typeof toKeys>;
