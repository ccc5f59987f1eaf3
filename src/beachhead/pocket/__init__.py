"""D-Day Dice Pocket: Battle! and Express!, two small games with the dice of the big one."""
