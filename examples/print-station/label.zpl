^XA
^CI28
^FX 100 x 150 mm at 203 dpi; each field begins with ^FH, because texts are escaped for it.^FS
^FO40,40^A0N,24,24^FDExample Parcels, Hauptstrasse 1, 10115 Berlin^FS
^FO40,80^GB720,2,2^FS
^FO40,110^A0N,44,44^FH^FD{line1}^FS
^FO40,165^A0N,44,44^FH^FD{line2}^FS
^FO40,220^A0N,44,44^FH^FD{line3}^FS
^FO40,275^A0N,44,44^FH^FD{line4}^FS
^FO40,330^A0N,44,44^FH^FD{line5}^FS
^FO40,385^A0N,44,44^FH^FD{line6}^FS
^FO40,460^GB720,2,2^FS
^FO80,500^BY3,3,220^BCN,220,Y,N,N,A^FH^FD{number}^FS
^FO40,820^GB720,2,2^FS
^FO40,850^A0N,32,32^FH^FDorder {order}   label {label} of {labels}   {series}^FS
^FO40,910^A0N,44,44^FH^FD{voided}^FS
^XZ
