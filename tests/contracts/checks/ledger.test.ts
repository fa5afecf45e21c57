import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { sectionsOf } from '../../../common/look/source-parts.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { compile } from '../../../openapi/index.ts';
import { toInterfaceText } from '../../../tools/document-interface.ts';
import { toBasis } from '../../../tools/lab/basis.ts';
import { projectFile } from '../../support/twin.ts';

const document = await compile(builtInDocument);
const { sections, clauses, silences } = document;
const statements = sections.flatMap(({ id, statements: all }) =>
  all.map((statement) => ({ section: id, ...statement })),
);

/** Each section that a node, a silence or a clause of the document names. */
function namedSections(): string[] {
  const sources = new Set([...silences, ...clauses].map(({ source }) => source));
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    if ('x-source' in node) sources.add(String(node['x-source']));
    Object.values(node).forEach(visit);
  };
  visit(document.asOpenApi());
  return [...new Set([...sources].flatMap(sectionsOf))];
}

it('has a section for each § that anything names, and no other', () => {
  expect(namedSections().toSorted()).toEqual(sections.map(({ id }) => id).toSorted());
});

it('words a clause for each check of what the interface states, and no other', () => {
  const stated = checks.filter(({ clause }) => clause.basis === 'stated').map(({ id }) => id);
  expect(clauses.map(({ id }) => id)).toEqual(stated);
});

it('has a file for each check, and none for anything else', () => {
  const files = readdirSync(projectFile('contracts/checks')).toSorted();
  expect(files).toEqual(['index.ts', ...checks.map(({ id }) => `${id}.ts`)].toSorted());
});

it.each(clauses)('has a statement for $id in each section that it names', ({ id, source }) => {
  const named = sectionsOf(source);
  expect(named.length).toBeGreaterThan(0);
  for (const section of named) {
    const holding = statements.filter((one) => one.section === section);
    expect(
      holding.flatMap((one) => one.clauses),
      `§${section}`,
    ).toContain(id);
  }
});

it('names no clause in a statement that is not there', () => {
  const ids = clauses.map(({ id }) => id);
  expect(statements.flatMap((one) => one.clauses).filter((id) => !ids.includes(id))).toEqual([]);
});

it('says each thing in words of its own', () => {
  const texts = sections.flatMap(({ id, statements: all }) =>
    all.map(({ text }) => `${id} ${text}`),
  );
  expect(new Set(texts).size).toBe(texts.length);
  for (const { text } of [...statements, ...clauses]) expect(text).toMatch(/^\S.*\.$/);
});

it('names sections of the interface or of standards as sources, and nothing else', () => {
  for (const { id, clause } of checks)
    for (const source of clause.source.split(', '))
      expect(source, id).toMatch(
        clause.basis === 'described'
          ? /./
          : /^(§\d(\.\d)?|(RFC \d+|JSON Schema Validation) §[\d.]+|Standard Webhooks|§[\d.]+)$/,
      );
});

it('gives each check an id of its own', () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

it('probes silences that the document lists, and no others', () => {
  const probed = silenceCases(document).map(({ purpose }) =>
    purpose.kind === 'silence' ? purpose.silence : purpose.kind,
  );
  expect(document.silences.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...new Set(probed)]),
  );
});

it('is documented, clause by clause', () => {
  const documented = readFileSync(projectFile('docs/checks.md'), 'utf8');
  const sections = checks.map(
    (check) => `## ${check.id}\n\n${check.clause.text} (${toBasis(check, document)})`,
  );
  for (const section of sections) expect(documented).toContain(section);
  expect(documented.match(/^## /gm)).toHaveLength(checks.length);
});

it('is documented, section by section', () => {
  // npm run docs:interface writes it.
  expect(readFileSync(projectFile('docs/interface.md'), 'utf8')).toBe(toInterfaceText(document));
});
