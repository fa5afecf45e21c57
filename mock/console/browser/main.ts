import { h, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

function Console() {
  const [version, setVersion] = useState('');
  useEffect(() => {
    void fetch('version')
      .then((response) => response.json())
      .then(({ version }) => setVersion(version));
  }, []);
  return h('main', { class: 'wrap' }, h('h1', null, 'Console'), h('p', null, version));
}

const root = document.getElementById('console');
if (root) render(h(Console, null), root);
