/** The local time of day of an ISO 8601 moment as HH:MM:SS; a text that is none as it stands. */
export function timeOfDay(moment: string): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime())
    ? moment
    : [date.getHours(), date.getMinutes(), date.getSeconds()]
        .map((part) => String(part).padStart(2, '0'))
        .join(':');
}
