import { h, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../../page-parts/browser/copy-button.ts';
import { ShellLine } from '../../page-parts/browser/shell-line.ts';
import type { OperationView } from '../../pages/operation-view.ts';
import { toSamples } from '../../pages/samples.ts';
import { readExample } from './page-data.ts';

/** What to do where no request came yet: a line that sends one. */
export function FirstRequest(): JSX.Element {
  const line = useExampleLine();
  return h(
    'div',
    { class: 'none first-request' },
    h(
      'p',
      null,
      line === undefined ? 'There is no request yet.' : 'There is no request yet. Send one:',
    ),
    line !== undefined &&
      h(
        'div',
        { class: 'row' },
        h('pre', { tabIndex: 0, 'aria-label': 'curl line' }, h(ShellLine, { line })),
        h(CopyButton, { text: line, about: 'the curl line' }),
      ),
    h('p', null, 'It appears here as it comes, with the reason for its response.'),
  );
}

/** Undefined before it is read, and where no call can be made that the twin accepts. */
function useExampleLine(): string | undefined {
  const [line, setLine] = useState<string>();
  useEffect(() => {
    const id = readExample();
    if (id === undefined) return;
    const root = new URL('../', document.baseURI).href.replaceAll("'", '%27');
    const read = async () => {
      const response = await fetch(`${root}__pages/operation.json?id=${encodeURIComponent(id)}`);
      if (!response.ok) return;
      const view = (await response.json()) as OperationView;
      const [curl] = toSamples(view, root.slice(0, -1) + view.basePath);
      setLine(curl?.parts.join(''));
    };
    // The page says itself that the twin is gone.
    void read().catch(() => undefined);
  }, []);
  return line;
}
