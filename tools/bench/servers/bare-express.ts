import express from 'express';
import { animals } from './animals.ts';

// Express 5 as anybody would start with it: no credentials, no limits, no validation, no store.
const app = express();
app.use(express.json());
app.get('/v1/pets', (_, response) => {
  response.json(animals);
});
app.get('/v1/pets/:id', (_, response) => {
  response.json(animals[0]);
});
app.post('/v1/pets', (request, response) => {
  response.status(201).json({ id: 21, ...request.body });
});
app.listen(Number(process.argv[2]), '127.0.0.1');
