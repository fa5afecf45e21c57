/**
 * Gives each text with `data-copy` a button that copies it: in the line above it where that has
 * `data-copies`, or else behind the text. The attribute says what the text is, for those who do not
 * see where the button stands.
 */
export function addCopyButtons(root: ParentNode): void {
  for (const text of root.querySelectorAll<HTMLElement>('[data-copy]')) {
    const parts = toCopyButton(() => text.textContent, { about: text.dataset.copy });
    const line = text.previousElementSibling;
    if (line?.matches('[data-copies]')) line.append(...parts);
    else text.after(...parts);
  }
}

/** Reads the text that a button copies; a reader may take its time, and find nothing. */
export type ReadText = () => string | undefined | Promise<string | undefined>;

/** A button that copies a text, and what says to those who do not see it what it did. */
export function toCopyButton(
  readText: ReadText,
  { label = 'Copy', about }: { label?: string | undefined; about?: string | undefined },
): [HTMLButtonElement, HTMLElement] {
  const button = document.createElement('button');
  const [what, result, status] = ['heard', 'result', 'heard'].map((name) => {
    const span = document.createElement('span');
    span.className = name;
    return span;
  }) as [HTMLElement, HTMLElement, HTMLElement];
  button.type = 'button';
  button.className = 'copy';
  what.textContent = about ? ` ${about}` : '';
  button.append(label, what);
  // It covers the button, whose size stays, so that nothing moves.
  result.ariaHidden = 'true';
  status.setAttribute('role', 'status');
  let timer: ReturnType<typeof setTimeout>;
  button.addEventListener('click', async () => {
    const text = await readText();
    const isCopied = text !== undefined && (await copy(text));
    result.textContent = isCopied ? 'Copied' : 'Failed';
    result.className = `result ${isCopied ? 'is-kept' : 'is-standard'}`;
    status.textContent = isCopied ? 'Copied' : 'Not copied. Select the text, and press Ctrl+C.';
    button.append(result);
    clearTimeout(timer);
    timer = setTimeout(() => {
      result.remove();
      status.textContent = '';
    }, 3000);
  });
  return [button, status];
}

/** Pages of another host than loopback have no clipboard without TLS. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'heard';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}
