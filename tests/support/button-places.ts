import type { Locator } from 'playwright';

/**
 * Where the buttons are that stand no lower than a button, itself included: what pressing it shows
 * may move what is below it, and nothing else.
 */
export async function placesUpTo(button: Locator): Promise<Record<string, string>> {
  await button.scrollIntoViewIfNeeded();
  return button.evaluate((pressed) => {
    const { bottom } = pressed.getBoundingClientRect();
    const places: Record<string, string> = {};
    for (const one of pressed.ownerDocument.querySelectorAll('button')) {
      const { x, y, width, height } = one.getBoundingClientRect();
      const name = [...one.childNodes]
        .filter((node) => (node as { ariaHidden?: string }).ariaHidden !== 'true')
        .map(({ textContent }) => textContent)
        .join('');
      if (width > 0 && y < bottom) places[name] = [x, y, width, height].map(Math.round).join();
    }
    return places;
  });
}
