import express, { type ErrorRequestHandler, type Express } from 'express';
import { health } from './routes/health.ts';
import { legacy } from './routes/legacy.ts';
import { orders } from './routes/orders.ts';
import { reports } from './routes/reports.ts';
import { users } from './routes/users.ts';

/** What PostgreSQL answers when a value is no number. */
const INVALID_TEXT_REPRESENTATION = '22P02';

const answerError: ErrorRequestHandler = (error: Error & { code?: string }, _request, response, _next) => {
  const status = error.code === INVALID_TEXT_REPRESENTATION ? 400 : 500;
  response.status(status).json({ error: error.message });
};

export function createApp(): Express {
  const app = express();
  app.use(express.json());
  app.use('/health', health);
  app.use('/users', users);
  app.use('/orders', orders);
  app.use('/reports', reports);
  app.use('/legacy', legacy);
  app.use(answerError);
  return app;
}
