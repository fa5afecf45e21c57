/**
 * Gives each text with `data-copy` a button that copies it: in the line above it where that has
 * `data-copies`, or else behind the text. The attribute says what the text is, for those who do not
 * see where the button stands.
 */
export function addCopyButtons(root: ParentNode): void {
  for (const text of root.querySelectorAll<HTMLElement>('[data-copy]')) {
    const parts = toCopyButton(text);
    const line = text.previousElementSibling;
    if (line?.matches('[data-copies]')) line.append(...parts);
    else text.after(...parts);
  }
}

/** The button, and what says to those who do not see it what it did. */
function toCopyButton(text: HTMLElement): [HTMLButtonElement, HTMLElement] {
  const button = document.createElement('button');
  const [about, result, status] = ['heard', 'result', 'heard'].map((name) => {
    const span = document.createElement('span');
    span.className = name;
    return span;
  }) as [HTMLElement, HTMLElement, HTMLElement];
  button.type = 'button';
  button.className = 'copy';
  about.textContent = text.dataset.copy ? ` ${text.dataset.copy}` : '';
  button.append('Copy', about);
  // It covers the button, whose size stays, so that nothing moves.
  result.ariaHidden = 'true';
  status.setAttribute('role', 'status');
  let timer: ReturnType<typeof setTimeout>;
  button.addEventListener('click', async () => {
    const isCopied = await copy(text);
    result.textContent = isCopied ? 'Copied' : 'Ctrl+C';
    result.classList.toggle('is-standard', !isCopied);
    status.textContent = isCopied ? 'Copied' : 'Selected: press Ctrl+C';
    button.append(result);
    clearTimeout(timer);
    timer = setTimeout(() => {
      result.remove();
      status.textContent = '';
    }, 3000);
  });
  return [button, status];
}

/** Selects the text where the page has no clipboard: it has one on loopback and with TLS alone. */
async function copy(text: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(text);
    return document.execCommand('copy');
  }
}
