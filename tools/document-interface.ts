import { writeFileSync } from 'node:fs';
import { builtInDocument } from '../common/built-in-document.ts';
import { rfcUrl } from '../common/look/source-links.ts';
import { sectionsOf, toSourceParts } from '../common/look/source-parts.ts';
import { toDomainRules } from '../common/prose/domains.ts';
import { type Api, compile, type Section } from '../openapi/index.ts';

/** The text of docs/interface.md: what each section states, who checks it, and what is left open. */
export function toInterfaceText(document: Api): string {
  const { sections, silences } = document;
  const { title, clauses } = toDomainRules(document.asOpenApi());
  const appendix = clauses.map(({ id, text }) => `- ${toMarkdown(text)} (\`${id}\`)`);
  const parts = sections.map(({ id, title, statements }) => {
    const stated = statements.map(({ text, clauses }) => {
      const checks = clauses.map((clause) => `[${clause}](checks.md#${clause})`).join(', ');
      return `- ${toMarkdown(text)}${checks === '' ? '' : ` (${checks})`}`;
    });
    const open = silences
      .filter(({ source }) => sectionsOf(source).includes(id))
      .map(({ question, twin }) => `- ${toMarkdown(question)} The mock: ${toMarkdown(twin)}.`);
    return [
      `## ${toHeading({ id, title })}`,
      stated.join('\n'),
      ...(open.length > 0 ? [`Left open:\n\n${open.join('\n')}`] : []),
    ].join('\n\n');
  });
  return `# Interface

What the interface of the Pet Store Service states, by section and in our own words. In parentheses are the checks of
\`npm run verify\`; no response can break a statement without one. At \`/__docs\` a running mock shows the
same with the operations and the reasons of all assumptions. \`npm run docs:interface\` writes this page from
[openapi.yaml](../contracts/openapi.yaml).

${parts.join('\n\n')}

## Appendix: ${title.toLowerCase()}

A procedure of a dashboard, for a published documentation project; no operation belongs to it. In parentheses are the
clauses of [the twin of the procedure](domains.md).

${appendix.join('\n')}
`;
}

/** A source such as `§4.1, RFC 9110 §10.2.3`, its parts linked to docs/interface.md and to RFCs. */
export function toSourceLinks(source: string, { sections }: Pick<Api, 'sections'>): string {
  const links = toSourceParts(source).map(({ text, section: named, rfc }) => {
    const section = sections.find(({ id }) => id === named);
    const href = section ? `interface.md#${toAnchor(section)}` : rfc && rfcUrl(rfc);
    return href === undefined ? text : `[${text}](${href})`;
  });
  return links.join(', ');
}

function toHeading({ id, title }: Pick<Section, 'id' | 'title'>): string {
  return `§${id} ${title}`;
}

/** The anchor that GitHub gives a heading. */
function toAnchor(section: Section): string {
  return toHeading(section)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function toMarkdown(text: string): string {
  return text.replaceAll(/[<*_`[\]]/g, '\\$&');
}

if (import.meta.main) {
  const file = new URL('../docs/interface.md', import.meta.url);
  writeFileSync(file, toInterfaceText(await compile(builtInDocument)));
}
