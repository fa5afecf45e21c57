import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ButtonResult } from './button-result.ts';

type Props = {
  /** What is copied; a function may take its time. */
  text: string | (() => Promise<string | undefined>);
  label?: string;
  /** What is copied, for those who do not see where the button stands. */
  about?: string;
};

const copied = 'Copied';
const refused = 'Failed';
const whyRefused = 'Not copied. Select the text, and press Ctrl+C.';

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = 'Copy', about }: Props): JSX.Element {
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    const wanted = typeof text === 'string' ? text : await text();
    setSaid(wanted !== undefined && (await write(wanted)) ? copied : refused);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(''), 3000);
  };
  return h(
    'span',
    { class: 'copying' },
    h(
      'button',
      { type: 'button', class: 'copy', onClick: copy },
      label,
      about !== undefined && h('span', { class: 'heard' }, ` ${about}`),
      said !== '' && h(ButtonResult, { isDone: said === copied, text: said }),
    ),
    h('span', { role: 'status', class: 'heard' }, said === refused ? whyRefused : said),
  );
}

/** Pages of another host than loopback have no clipboard without TLS. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'heard';
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
