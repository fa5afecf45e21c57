/** What the twin put into the page. */
function read(name: string): string | undefined {
  return document.getElementById('console')?.dataset[name];
}

/** The options, as words for a shell, by which `curl` trusts the certificate of the twin. */
export function readTrust(): readonly string[] {
  return JSON.parse(read('trust') ?? '[]');
}

/** The id of an operation that is easily called; undefined where the document has none. */
export function readExample(): string | undefined {
  return read('example');
}
