/**
 * A typed number: `1,234.5` with commas between thousands, or `10,5` with a decimal comma; null for
 * other text.
 */
export function typedNumber(text: string): number | null {
  const digits = text.trim().replace('−', '-')
  const isGrouped = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits)
  const value = Number(isGrouped ? digits.replaceAll(',', '') : digits.replace(',', '.'))
  return digits === '' || !Number.isFinite(value) ? null : value
}
