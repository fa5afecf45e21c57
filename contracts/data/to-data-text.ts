import type { CollectedItems } from './collect-items.ts';

/** Items as the text of a file for `--data`: YAML with an item on each line, or JSON. */
export function toDataText(
  items: CollectedItems,
  { format, comment }: { format: 'json' | 'yaml'; comment: string },
): string {
  const lists = [...items].map(([name, list]) => ({ name: JSON.stringify(name), list }));
  if (format === 'json') {
    const members = lists.map(({ name, list }) => `  ${name}: [\n    ${list.join(',\n    ')}\n  ]`);
    return `{\n${members.join(',\n')}\n}\n`;
  }
  const blocks = lists.map(
    ({ name, list }) => `${name}:\n${list.map((json) => `  - ${toFlow(json)}\n`).join('')}`,
  );
  return `# ${comment}\n${blocks.join('')}`;
}

/** JSON is YAML, but for some characters that YAML does not allow as they are. */
function toFlow(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
