/** Tag of a market that only its rows make known. */
export const UNDESCRIBED = 'undescribed'
