(() => {
  const isSeen = (one) =>
    one.checkVisibility() && !one.closest('.heard, dialog:not([open]), [popover]');
  const nameOf = (one) => `${one.tagName} ${one.id || one.textContent.trim()}`;
  const centre = (box) => (box.top + box.bottom) / 2;
  const boxOf = (one) => one.getBoundingClientRect();
  const textBox = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const all = (place, what) => [...place.querySelectorAll(what)].filter(isSeen);
  /** Returns what stands beside one before it, and higher or lower. */
  const offLine = (ones, toBox) =>
    ones.filter((one, at) =>
      ones.slice(0, at).some((before) => {
        const [box, other] = [toBox(one), toBox(before)];
        const isBeside = box.top < other.bottom && other.top < box.bottom;
        return isBeside && Math.abs(centre(box) - centre(other)) > 1;
      }),
    );
  const cut = all(document, 'select').filter((one) => {
    const style = getComputedStyle(one);
    const shown = document.body.appendChild(document.createElement('span'));
    shown.style.cssText = `position: absolute; white-space: nowrap; font: ${style.font}`;
    shown.textContent = one.selectedOptions[0]?.textContent ?? '';
    const { left, right, width } = boxOf(one);
    const isCut = boxOf(shown).width > width - Number.parseFloat(style.paddingLeft) * 2;
    shown.remove();
    return isCut || left < 0 || right > document.documentElement.clientWidth;
  });
  const rows = all(document, '.row').map((row) =>
    offLine(all(row, 'button, select, input'), boxOf),
  );
  const openable = all(document, '.rows-table tbody tr').map((row) =>
    offLine(all(row, 'td'), textBox),
  );
  return [...cut, ...rows.flat(), ...openable.flat()].map(nameOf);
})();
