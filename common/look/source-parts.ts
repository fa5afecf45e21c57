/** A part of a source such as `§4.1, RFC 9110 §10.2.3`, and what it names, where it names it so. */
export type SourcePart = {
  text: string;
  section?: string;
  rfc?: { number: string; section?: string };
};

/** A source in parts, as it separates them by commas. */
export function toSourceParts(source: string): SourcePart[] {
  return source.split(', ').map((text) => {
    const [, section] = /^§(\d+(?:\.\d+)*)$/.exec(text) ?? [];
    if (section !== undefined) return { text, section };
    const [, number, place] = /^RFC (\d+)(?: §(\d+(?:\.\d+)*))?$/.exec(text) ?? [];
    if (number === undefined) return { text };
    return { text, rfc: { number, ...(place !== undefined && { section: place }) } };
  });
}

/** The ids of the sections that a source names, such as `4.1`. */
export function sectionsOf(source: string): string[] {
  return toSourceParts(source).flatMap(({ section }) => section ?? []);
}
