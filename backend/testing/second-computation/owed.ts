/**
 * Sections of the methodology that give words, routes or orders and no number of their own; with the
 * reason why nothing is computed a second time.
 */
export const WITHOUT_NUMBERS: Readonly<Record<string, string>> = {
  I2: 'chooses facts and puts them into words; each number in it is of another section',
  I4: 'puts facts into perspectives; each number in it is of another section',
  H3: 'only its list of words is read yet, by which findings get a direction',
}
