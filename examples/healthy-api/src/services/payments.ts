export interface Charge {
  readonly id: string;
  readonly status: string;
}

/** Charges a card at the payment provider; takes as long as the provider takes. */
export async function chargeCard(userId: number, amount: number): Promise<Charge> {
  const response = await fetch(`${process.env['PAYMENTS_URL']}/charges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, amount }),
  });
  if (!response.ok) throw new Error(`The payment provider answered ${response.status}.`);
  return (await response.json()) as Charge;
}
