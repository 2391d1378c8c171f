/**
 * Banks by their ABA routing number: enough real ones for a sandbox to name the other side of a payment. A number that
 * is not in the table is still good when its check digit is; its bank has no name here.
 */

const NAMES: Readonly<Record<string, string>> = {
  '011000015': 'Federal Reserve Bank of Boston',
  '011000138': 'Bank of America',
  '011401533': 'Wells Fargo',
  '021000021': 'JPMorgan Chase',
  '021000089': 'Citibank',
  '021200339': 'Bank of America',
  '026009593': 'Bank of America',
  '031000053': 'PNC Bank',
  '031101279': 'The Bancorp Bank',
  '053000196': 'Bank of America',
  '061000104': 'Truist Bank',
  '063107513': 'Wells Fargo',
  '071000013': 'JPMorgan Chase',
  '084106768': 'Evolve Bank & Trust',
  '091000019': 'Wells Fargo',
  '103100195': 'Blue Ridge Bank',
  '107005047': 'FirstBank',
  '111000025': 'Bank of America',
  '121000248': 'Wells Fargo',
  '121000358': 'Bank of America',
  '121042882': 'Wells Fargo',
  '122000247': 'Wells Fargo',
  '122100024': 'JPMorgan Chase',
  '122235821': 'U.S. Bank',
  '123103729': 'U.S. Bank',
  '124303120': 'Green Dot Bank',
  '125000024': 'Bank of America',
  '267084131': 'JPMorgan Chase',
  '322271627': 'JPMorgan Chase',
  '325081403': 'BECU',
};

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** True for nine digits whose ABA check digit fits. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return sum > 0 && sum % 10 === 0;
}

/** The bank of a routing number, or `""` when it is not in the table. */
export function bankName(routingNumber: string): string {
  return Object.hasOwn(NAMES, routingNumber) ? (NAMES[routingNumber] ?? '') : '';
}
