export interface Invoice {
  readonly number: string;
  readonly total: string;
}

export function readInvoice(orderId: string, callback: (error: Error | null, invoice?: Invoice) => void): void;
