import { readFileSync } from 'node:fs';
import express from 'express';

// The least that any mock of a document does: parses it, and starts Express.
const [file = '', port] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, 'utf8'));
const app = express();
app.get('/{*path}', (_, response) => {
  response.json({ paths: Object.keys(document.paths).length });
});
app.listen(Number(port), '127.0.0.1');
