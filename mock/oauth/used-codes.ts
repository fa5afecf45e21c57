/** The codes that this process has taken tokens for; other processes do not know of them. */
export interface UsedCodes {
  /** Uses a code; false where it was used before. */
  use(id: string): boolean;
}

/** So many are held, the latest. */
const maxCodes = 10_000;

/** Makes a memory of used codes. */
export function createUsedCodes(): UsedCodes {
  const used = new Set<string>();
  return {
    use(id) {
      if (used.has(id)) return false;
      used.add(id);
      const [oldest] = used;
      if (used.size > maxCodes && oldest !== undefined) used.delete(oldest);
      return true;
    },
  };
}
