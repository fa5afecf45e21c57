import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Finding, Report } from '../../../contracts/report/events.ts';
import { toHtmlReport } from '../../../contracts/report/html/page.ts';
import { sampleReport, withTexts } from '../../support/report.ts';

/** The page's text as a reader sees it, without tags. */
function textOf(page: string): string {
  return (page.split('<body>')[1] ?? '')
    .replace(/<script>.*/s, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

/** Returns what stands between the start of a section and its end. */
function sectionOf(page: string, id: string): string {
  return page.split(`<section id="${id}"`)[1]?.split('</section>')[0] ?? '';
}

it('leads with the verdict, the reason and the clauses that are broken', () => {
  const page = toHtmlReport(sampleReport());
  const masthead = textOf(`<body>${page.split('<header')[1]?.split('</header>')[0]}`);
  expect(page).toContain('<title>Drift: Pet Store Service 1.0.0, 2026-11-21</title>');
  expect(masthead).toMatch(/Drift\s+1 of 2 clauses failed on the target/);
  expect(masthead).toMatch(/21 Nov 2026, 02:04 UTC.*10325c82ae90.*172/s);
  expect(page).toContain('<a href="#finding-1"><code><bdi>success-status</bdi></code></a>');
});

it('counts an RFC among what fails the run only where that was asked for', () => {
  const broken = (strict: boolean) =>
    toHtmlReport(sampleReport(), { strict }).match(/<a href="#finding-\d+"><code>/g)?.length;
  expect(broken(false)).toBe(1);
  expect(broken(true)).toBe(3);
  expect(sectionOf(toHtmlReport(sampleReport(), { strict: true }), 'findings')).toMatch(
    /an RFC is violated[^<]*; this fails the run/,
  );
});

it('says why a run is incomplete, each reason once', () => {
  const page = toHtmlReport(
    sampleReport({
      verdict: 'incomplete',
      findings: [],
      incomplete: ['target: 7 cases were not made'],
    }),
  );
  expect(page).toContain('<header class="masthead is-incomplete">');
  expect(page.split('target: 7 cases were not made')).toHaveLength(2);
});

it('shows each target with its counts, requests and seconds', () => {
  const text = textOf(`<body>${sectionOf(toHtmlReport(sampleReport()), 'targets')}`);
  for (const part of [
    'http://127.0.0.1:8080/v1',
    '1,301',
    '12.5 s',
    '0.94 s',
    'pro-1',
    '1 drift, 1 standard, 1 undocumented, 1 known, 1 difference',
    '1 of 2 clauses passed',
  ])
    expect(text).toContain(part);
});

it('shows operations by targets', () => {
  const rows = sectionOf(toHtmlReport(sampleReport()), 'operations')
    .split('<tr')
    .slice(2)
    .map((row) => textOf(`<body><tr${row}`));
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/listPets.*30 calls, no drift.*30 calls, 1 drift/s);
  expect(rows[2]).toMatch(/listOrders.*not called.*not called/s);
});

it('shows each finding once, under its verdict, with clause, both sides, exchange and curl line', () => {
  const report = sampleReport();
  const page = sectionOf(toHtmlReport(report), 'findings');
  expect(page.match(/<h3>.*?<\/h3>/g)?.map((heading) => textOf(`<body>${heading}`).trim())).toEqual(
    ['✕ 1 drift', '! 1 standard', '∅ 1 undocumented', '• 1 known', '≠ 1 difference'],
  );
  const first = textOf(`<body>${page.split('id="finding-1"')[1]?.split('id="finding-2"')[0]}`);
  const sentence = report.findings[0]?.clause.text;
  for (const part of [
    'success-status',
    sentence,
    '§4.1, §4.2',
    'stated',
    '204',
    '3 exchanges',
    'GET http://127.0.0.1:8080/v1/pets?limit=1',
    '204 No Content',
    '{"id":1}',
  ])
    expect(first).toContain(part);
  expect(first).toContain(report.findings[0]?.curl);
  expect(page).toContain('Received <bdi>no answer: socket hang up</bdi>');
});

it('shows the ledger, with clauses that were never checked apart from those that passed', () => {
  const text = textOf(`<body>${sectionOf(toHtmlReport(sampleReport()), 'clauses')}`);
  expect(text).toMatch(
    /exactly the stated success status.*✓ passed\s*checked 20×.*✕ drift\s*checked 20×/s,
  );
  expect(text).toMatch(
    /– not exercised\s*never checked\s*nothing to judge.*\? inconclusive\s*checked 1×\s*no call was refused/s,
  );
});

it('puts the silences where targets differ first and marks them, and those that nobody observed last', () => {
  const text = textOf(`<body>${sectionOf(toHtmlReport(sampleReport()), 'silences')}`);
  expect(text).toMatch(
    /A limit of 0.*targets differ.*by id, ascending.*by id, descending.*In which order.*How large.*not observed/s,
  );
  expect(text.split('targets differ')).toHaveLength(2);
});

it('lists what was left behind', () => {
  const gaps = (report: Report) => textOf(`<body>${sectionOf(toHtmlReport(report), 'gaps')}`);
  expect(gaps(sampleReport())).toMatch(
    /Not cleaned up \(1\).*target, createPet: deletePet answered 409: 1 \(121\)/s,
  );
  expect(gaps(sampleReport({ residue: [] }))).not.toContain('Not cleaned up');
});

it('lets its own script and style run and nothing else, and asks for nothing', () => {
  const page = toHtmlReport(sampleReport());
  const hash = (tag: string) => {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? '';
    return `${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
    .exec(page)?.[1]
    ?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      hash('style'),
      hash('script'),
      "base-uri 'none'",
    ]),
  );
  expect(page).not.toMatch(/ (src|on\w+|style)=|url\(|@import|<link/);
  const leading = new Set(page.match(/<a [^>]*href="(?!#)[^>]*>/g));
  expect([...leading]).toEqual([
    '<a href="https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1" rel="noreferrer">',
  ]);
});

it('leads from a finding to its clause in the page', () => {
  const page = toHtmlReport(sampleReport());
  const finding = sectionOf(page, 'findings')
    .split('id="finding-1"')[1]
    ?.split('id="finding-2"')[0];
  expect(finding).toContain(
    '<a href="#clause-success-status"><code><bdi>success-status</bdi></code></a>',
  );
  expect(sectionOf(page, 'clauses')).toContain(
    '<tr role="row" class="is-drift" id="clause-success-status"',
  );
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const aims = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(aims.filter((aim) => !ids.includes(aim))).toEqual([]);
});

it('leads to the reference where its address is known, and to no address that is not safe', () => {
  const linked = (url: string) => {
    const { findings, clauses, silences, ...report } = sampleReport();
    const [finding] = findings as [Finding];
    return toHtmlReport({
      ...report,
      findings: [{ ...finding, clause: { ...finding.clause, url } }],
      clauses: clauses.map((one) => ({ ...one, url })),
      silences: silences.map((one) => ({ ...one, url })),
    });
  };
  const page = linked('https://docs.test/petstore/#success-status');
  expect(page.match(/href="https:\/\/docs\.test\/petstore\/#success-status"/g)).toHaveLength(5);
  expect(page).toContain('aria-label="success-status in the reference">in the reference</a>');
  const unsafe = ['javascript:alert(1)', 'data:text/html,x', 'https://me:secret@docs.test/', '//x'];
  for (const url of unsafe) expect(linked(url)).not.toContain('in the reference');
});

it('has the same tags whatever the texts of a report are', () => {
  const plain = withTexts(sampleReport(), (text) => `${text} plain`);
  const hostile = withTexts(
    sampleReport(),
    (text) => `${text} </pre></script><img src=x onerror="a()" title='b'>&lt;`,
  );
  const tags = (page: string) =>
    page
      .match(/<[^>]*>/g)
      ?.map((tag) => tag.replace(/ (datetime="[^"]*|(id="|href="#)(clause|section)-[\w-]*)"/g, ''));
  expect(tags(toHtmlReport(hostile))).toEqual(tags(toHtmlReport(plain)));
});
