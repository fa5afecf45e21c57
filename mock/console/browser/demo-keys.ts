/** The keys that the page shows, by their names; a twin shows its demo keys alone. */
export function readDemoKeys(): Readonly<Record<string, string>> {
  return JSON.parse(document.getElementById('console')?.dataset.keys ?? '{}');
}
