import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';

const count = 1500;

/** A document with as many operations as the largest that are published, in groups of a hundred. */
function largeDocument(): Record<string, unknown> {
  const schemas = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `Schema${index}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, field) => [
            `field${field}`,
            { $ref: `#/components/schemas/Schema${(index * 7 + field) % 300}` },
          ]),
        ),
      },
    ]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/path${index}`,
      {
        get: {
          operationId: `operation${index}`,
          summary: `Operation ${index}`,
          tags: [`tag ${Math.floor(index / 100)}`],
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: { $ref: `#/components/schemas/Schema${index % 300}` },
                },
              },
            },
          },
        },
      },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths,
    components: { schemas },
  };
}

it('shows a document of 1,500 operations on pages that browsers show at once', () => {
  const reference = createReference(compile(largeDocument()));
  const lengthOf = (path: string) => reference.render(path, { now: 0 })?.text.length;
  expect(lengthOf('index.html')).toBeLessThan(1_000_000);
  for (const path of ['operations/operation777.html', 'schemas/Schema7.html'])
    expect(lengthOf(path)).toBeLessThan(500_000);
});

it('lists on the page of an operation its own group alone', () => {
  const reference = createReference(compile(largeDocument()));
  const html = reference.render('operations/operation777.html', { now: 0 })?.text ?? '';
  expect(html).toContain('href="../operations/operation700.html"');
  expect(html).not.toContain('href="../operations/operation600.html"');
  expect(html).toContain('<bdi>tag 6</bdi> <span class="count">100</span>');
});
