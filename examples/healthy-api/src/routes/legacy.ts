import { Router } from 'express';
import { readAudit } from '../../legacy/audit.cjs';
import { readInvoice } from '../../legacy/invoices.cjs';

export const legacy = Router();

legacy.get('/invoices/:orderId', (request, response, next) => {
  readInvoice(request.params.orderId, (error, invoice) => {
    if (error) next(error);
    else response.json(invoice);
  });
});

legacy.get('/audit/:userId', async (request, response) => {
  response.json(await readAudit(request.params.userId));
});
