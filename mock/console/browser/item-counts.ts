/** How many items there are of each collection, in words. */
export function countItems(items: Readonly<Record<string, number>>): string {
  const counts = Object.entries(items).map(
    ([name, count]) => `${count.toLocaleString('en')} ${name}`,
  );
  return counts.length === 0 ? 'no items' : counts.join(', ');
}

/** An instant in ISO 8601, as people read it, in UTC. */
export function toTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;
}
