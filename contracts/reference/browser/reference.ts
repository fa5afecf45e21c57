const search = document.querySelector<HTMLFormElement>('#search');
const words = search?.querySelector('input');
const rows = [...document.querySelectorAll<HTMLElement>('[data-item]')];
if (search && words) {
  search.hidden = false;
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
    }
  };
  words.addEventListener('input', apply);
  search.addEventListener('submit', (event) => event.preventDefault());
}

const highlight = document.querySelector<HTMLInputElement>('#highlight-assumed');
if (highlight) {
  const name = 'petstore-twin:highlight-assumed';
  highlight.checked = sessionStorage.getItem(name) === 'true';
  highlight.addEventListener('change', () => {
    sessionStorage.setItem(name, String(highlight.checked));
  });
}
