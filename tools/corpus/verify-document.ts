import { readRunOptions } from '../../contracts/command/options.ts';
import { demoKeys, needsKey, toTwin } from '../../contracts/command/verify-target.ts';
import { withoutNested } from '../../contracts/document/without-nested.ts';
import type { Report } from '../../contracts/report/events.ts';
import { verify } from '../../contracts/verify/verify.ts';
import { openDocument } from './try-document.ts';

/**
 * Serves a document, and holds the contract suite against its twin. Throws where the document gives
 * it nothing to call.
 */
export async function verifyDocument(file: string): Promise<Report> {
  const twin = await openDocument(file);
  const { origin } = twin;
  const document = withoutNested(twin.document);
  const options = readRunOptions({ wait: 0 });
  const keys = needsKey(document) ? demoKeys : [];
  try {
    return await verify({
      ...options,
      document,
      targets: [
        toTwin(origin + document.basePath, {
          ...options,
          ...{ keys, isBuiltIn: false, isTemporary: true },
        }),
      ],
      onEvent: () => {},
    });
  } finally {
    await twin.close();
  }
}

/** Returns the findings of a run in a few words. */
export function describeReport({ findings, incomplete }: Report): string {
  if (findings.length > 0) {
    const checks = [...new Set(findings.map(({ check }) => check))];
    return `${findings.length} (${checks.join(', ')})`;
  }
  return incomplete.length > 0 ? 'incomplete' : 'clean';
}
