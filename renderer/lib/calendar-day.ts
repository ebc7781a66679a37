/** Whether a text such as `2026-12-01` is a day of the calendar; 30 February is none. */
export function isCalendarDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
