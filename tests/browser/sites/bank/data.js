var BANK = {
  accounts: [
    { id: 'cur', name: 'Everyday account', no: '20-44-18 ··7731', bal: 184215 },
    { id: 'joint', name: 'Joint account', no: '20-44-18 ··2290', bal: 391240 },
    { id: 'sav', name: 'Rainy day saver', no: '20-44-19 ··0058', bal: 1260000 }
  ],
  payees: [
    { id: 'p1', name: 'Council Tax Leeds', bank: 'Lloyds', no: '30-00-01 ··8810', last: '1 May' },
    { id: 'p2', name: 'Marta Lindqvist', bank: 'Handelsbanken', no: '40-51-62 ··4471', last: '2 June' },
    { id: 'p3', name: 'Marta Lindqvist', bank: 'Monzo', no: '04-00-04 ··4417', last: '14 February' },
    { id: 'p4', name: 'Martin Lindley', bank: 'Monzo', no: '04-00-04 ··9920', last: 'never' },
    { id: 'p5', name: 'Pennine Energy', bank: 'Barclays', no: '20-11-09 ··3005', last: '21 May' },
    { id: 'p6', name: 'Robin Oyelaran', bank: 'Nationwide', no: '07-01-16 ··6142', last: '9 April' }
  ],
  tx: {
    joint: [
      { id: 'j9', day: '2 June', who: 'Marta Lindqvist', memo: 'Rent June', amt: -24050 },
      { id: 'j8', day: '1 June', who: 'Greenfold Groceries', memo: 'Card 5521', amt: -6318 },
      { id: 'j7', day: '28 May', who: 'Salary Aldous & Co', memo: 'May', amt: 210000 },
      { id: 'j6', day: '21 May', who: 'Pennine Energy', memo: 'Direct debit', amt: -8812 },
      { id: 'j5', day: '2 May', who: 'Marta Lindqvist', memo: 'Rent May', amt: -24050 },
      { id: 'j4', day: '30 April', who: 'Greenfold Groceries', memo: 'Card 5521', amt: -4109 },
      { id: 'j3', day: '2 April', who: 'Marta Lindqvist', memo: 'Rent April', amt: -24050 }
    ],
    cur: [
      { id: 'c3', day: '3 June', who: 'Northern Rail', memo: 'Card 1107', amt: -2260 },
      { id: 'c2', day: '30 May', who: 'Marta Lindqvist', memo: 'Concert', amt: -4500 },
      { id: 'c1', day: '28 May', who: 'Cash machine Briggate', memo: '', amt: -5000 }
    ],
    sav: [{ id: 's1', day: '31 May', who: 'Interest', memo: '', amt: 3150 }]
  },
  sent: []
};
